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
  try {
    process.send({ answer: await handler(message.event, context) });
  } catch (error) {
    const { name, message: text, cause } = error;
    process.send({ error: { name, message: text, cause } });
  }
});
