import { CloudTrailClient, LookupEventsCommand } from "@aws-sdk/client-cloudtrail";
import type { CloudPlace } from "./place.ts";

/** A call that the emulator let through. */
export interface TrailEvent {
  readonly id: string;
  /** `s3` */
  readonly service: string;
  readonly name: string;
  readonly accessKeyId: string;
  /** Of S3: the bucket and, where there is one, the key. */
  readonly resources: readonly string[];
  /** The fields of a JSON body or a form. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** All that the trail holds. An answer has the 50 newest events and no token for more, so what is older is asked for by time. */
export async function recordedEvents(place: CloudPlace): Promise<readonly TrailEvent[]> {
  const { endpoint, region } = place;
  const client = new CloudTrailClient({ endpoint, region, credentials: place });
  const events = new Map<string, TrailEvent>();
  let until: Date | undefined;
  for (;;) {
    const { Events: answered = [] } = await client.send(new LookupEventsCommand({ EndTime: until }));
    const before = events.size;
    for (const { EventId: id = "", CloudTrailEvent: text = "{}", Resources: resources = [] } of answered) {
      const { eventSource, eventName, userIdentity, requestParameters } = JSON.parse(text);
      events.set(id, {
        id,
        service: eventSource.replace(".amazonaws.com", ""),
        name: nameOf(eventName, requestParameters),
        accessKeyId: userIdentity.accessKeyId,
        resources: resources.map(({ ResourceName: name = "" }) => name),
        parameters: requestParameters ?? {},
      });
    }
    if (events.size === before) {
      break;
    }
    const oldest = Math.min(...answered.map(({ EventTime: time }) => time?.getTime() ?? 0));
    until = new Date(oldest + 1); // the times are finer than ours
  }
  client.destroy();
  return [...events.values()];
}

/** What came as a form is called by its method; its action is a field. */
function nameOf(eventName: string, parameters: Readonly<Record<string, string>> | null): string {
  return parameters?.["Action"] ?? eventName;
}
