-- Each fill once: the data files that the current manifest names, and no others. An amount that does not fit decimal(38,18) is null in its
-- column, and its exact text is in the column of the same name with _text. traded_at: when the fill happened, as far as the service says it.
-- volume: price × quantity, its first 18 places; volume_rest: its places 19 to 36, which are nearly always zero. Sums of each are exact.
WITH with_notional AS (
  SELECT *, CASE WHEN notional IS NULL THEN json_extract_scalar(extra, '$.notional') END AS notional_text
  FROM fills
)
SELECT
  account,
  month,
  coalesce(filled_at, tx_created) AS traded_at,
  filled_at,
  tx_created,
  market,
  side,
  quantity,
  price,
  notional,
  fee,
  fee_currency,
  liquidity,
  trade_type,
  fill_type,
  trigger_type,
  trigger_price,
  order_id,
  match_id,
  transaction_hash,
  coalesce(
    notional,
    TRY_CAST(regexp_extract(notional_text, '^(-?[0-9]+[.][0-9]{18})[0-9]+$', 1) AS decimal(38, 18))
  ) AS volume,
  -- What does not match is null in Trino and empty in DuckDB: zero in either.
  coalesce(
    TRY_CAST(
      CASE WHEN notional_text LIKE '-%' THEN '-' ELSE '' END
      || '0.000000000000000000'
      || regexp_extract(notional_text, '^-?[0-9]+[.][0-9]{18}([0-9]+)$', 1)
      AS decimal(38, 36)
    ),
    CAST(0 AS decimal(38, 36))
  ) AS volume_rest,
  CASE WHEN quantity IS NULL THEN json_extract_scalar(extra, '$.quantity') END AS quantity_text,
  CASE WHEN price IS NULL THEN json_extract_scalar(extra, '$.price') END AS price_text,
  notional_text,
  CASE WHEN fee IS NULL THEN json_extract_scalar(extra, '$.fees') END AS fee_text,
  CASE WHEN trigger_price IS NULL THEN json_extract_scalar(extra, '$.triggerPrice') END AS trigger_price_text,
  extra
FROM with_notional
