import { Calendar } from "./calendar.ts";
import { entriesOfLists, type Lists } from "./lists.ts";
import type { Node } from "./node.ts";
import type { CalendarPorts } from "./nodes.ts";

/** What a manifest names: its calendar, or for an older one what its lists say. */
export async function calendarOf(
  ports: CalendarPorts,
  manifest: { readonly calendar: Node } | Lists,
): Promise<Calendar> {
  return "calendar" in manifest
    ? Calendar.of(ports, manifest.calendar)
    : await Calendar.empty(ports).change({ added: entriesOfLists(manifest) });
}
