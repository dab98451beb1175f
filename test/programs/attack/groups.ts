import type { Group } from "./attack.ts";
import { ANSWERS } from "./groups/answers.ts";
import { ENVIRONMENT } from "./groups/environment.ts";
import { EVENTS_GROUP } from "./groups/events.ts";
import { FILLS_GROUP } from "./groups/fills.ts";
import { INPUTS } from "./groups/inputs.ts";
import { MUTATIONS } from "./groups/mutations.ts";
import { MODES, OUT_FOLDERS } from "./groups/out-folders.ts";
import { CSRF_GROUP, PAGE_PATHS } from "./groups/page.ts";
import { NAMES, STORE_KEYS } from "./groups/paths.ts";
import { BODIES_GROUP } from "./groups/requests.ts";
import { HOSTS_GROUP, SESSIONS } from "./groups/sessions.ts";
import { WIRE } from "./groups/wire.ts";

/** In the order of the table in BENCHMARKS.md. */
export const GROUPS: readonly Group[] = [
  STORE_KEYS,
  NAMES,
  OUT_FOLDERS,
  MODES,
  PAGE_PATHS,
  CSRF_GROUP,
  HOSTS_GROUP,
  SESSIONS,
  BODIES_GROUP,
  ANSWERS,
  WIRE,
  FILLS_GROUP,
  ENVIRONMENT,
  INPUTS,
  EVENTS_GROUP,
  MUTATIONS,
];
