// Acts as Lambda's runtime: imports the handler once and calls it for each event. The parent process sends the
// events, and says whether a deadline is near, so that no test waits for one.
const AMPLE_MS = 900_000;
const NEAR_MS = 100; // the handler sees this value for as long as the deadline counts as near
let nearDeadline = false;
let isOver = false;

const { handler } = await import(process.argv[2]);
process.send({});

function remaining() {
  if (isOver) {
    return 0;
  }
  return nearDeadline ? NEAR_MS : AMPLE_MS;
}

process.on("message", async (message) => {
  if (message.over) {
    isOver = true;
    return;
  }
  nearDeadline = message.nearDeadline;
  isOver = false;
  const context = { awsRequestId: message.requestId, getRemainingTimeInMillis: remaining };
  const answer = await handler(message.event, context).then(
    (given) => ({ answer: given }),
    ({ name, message: text, cause }) => ({ error: { name, message: text, cause } }),
  );
  process.stdout.write("\0"); // sandbox.ts waits for the end of both streams
  process.stderr.write("\0");
  process.send(answer);
});
