import { SubscribeCommand } from "@aws-sdk/client-sns";
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
} from "@aws-sdk/client-sqs";
import { type Clients, until } from "./cloud.ts";

/** An operator's inbox: a queue that is subscribed to a topic, as a mail address would be. */
export interface Mailbox {
  /** The first message with this text in it; throws after the time. */
  receive(text: string, withinMs: number): Promise<string>;
}

export async function subscribeMailbox({ queues, topics }: Clients, topic: string): Promise<Mailbox> {
  const { QueueUrl: queue } = await queues.send(new CreateQueueCommand({ QueueName: "operator" }));
  const asked = await queues.send(new GetQueueAttributesCommand({ QueueUrl: queue, AttributeNames: ["QueueArn"] }));
  const arn = asked.Attributes?.["QueueArn"];
  const Statement = [
    {
      Effect: "Allow",
      Principal: { Service: "sns.amazonaws.com" },
      Action: "sqs:SendMessage",
      Resource: arn,
      Condition: { ArnEquals: { "aws:SourceArn": topic } },
    },
  ];
  const Policy = JSON.stringify({ Version: "2012-10-17", Statement });
  await queues.send(new SetQueueAttributesCommand({ QueueUrl: queue, Attributes: { Policy } }));
  await topics.send(new SubscribeCommand({ TopicArn: topic, Protocol: "sqs", Endpoint: arn }));
  const bodies: string[] = [];
  return {
    receive: (text, withinMs) =>
      until(`a message with ${text}`, withinMs, async () => {
        const command = new ReceiveMessageCommand({ QueueUrl: queue, MaxNumberOfMessages: 10 });
        const { Messages: messages = [] } = await queues.send(command);
        bodies.push(...messages.map(({ Body: body = "" }) => body));
        return bodies.find((body) => body.includes(text)) ?? null;
      }),
  };
}
