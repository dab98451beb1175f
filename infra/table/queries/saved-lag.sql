-- How far the two times of a fill lie apart, by month of its transaction: what appears long after it was traded is what a report may lack.
SELECT
  month,
  count(*) AS fills,
  count(*) - count(filled_at) AS fills_without_filled_at,
  min(date_diff('millisecond', filled_at, tx_created)) AS least_lag_ms,
  max(date_diff('millisecond', filled_at, tx_created)) AS most_lag_ms,
  sum(CASE WHEN date_diff('millisecond', filled_at, tx_created) > 60000 THEN 1 ELSE 0 END) AS fills_later_than_a_minute
FROM fills
WHERE account = 'main'
GROUP BY month
ORDER BY month
