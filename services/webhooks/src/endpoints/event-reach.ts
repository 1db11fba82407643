import {
  type ApplicationEventType,
  applicationEvents,
  applicationEventTypes,
  hasPermissions,
  type Options,
  WireError,
} from "@latchkey/contracts";
import type { ResolvedSession } from "@latchkey/service-kit/http";

type Reader = Pick<ResolvedSession, "user">;
type Rules = { config: Pick<Options, "admin"> };

const isKnown = (type: string): type is ApplicationEventType =>
  Object.hasOwn(applicationEvents, type);

/** Returns whether an admin may list the objects of an event, and so may receive it. */
export const mayReceive = ({ config }: Rules, { user }: Reader, type: string): boolean => {
  if (!isKnown(type)) return true; // a test event has no data
  const { resource, action } = applicationEvents[type].permission;
  return hasPermissions(config.admin, user, { [resource]: [action] });
};

/** Returns the types of events that an admin may receive. */
export const receivableTypes = (deps: Rules, reader: Reader): ApplicationEventType[] =>
  applicationEventTypes.filter((type) => mayReceive(deps, reader, type));

/**
 * Refuses an admin who may not receive one of these events. No types stand for all. A webhook would otherwise give data that its creator may
 * not read.
 */
export const checkEventReach = (deps: Rules, reader: Reader, types: readonly string[]): void => {
  const wanted = types.length === 0 ? applicationEventTypes : types;
  if (!wanted.every((type) => mayReceive(deps, reader, type)))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS");
};

/** Returns a URL without its query, which may hold a secret of the receiver. */
export const withoutQuery = (text: string): string => {
  const url = URL.parse(text);
  return url ? url.origin + url.pathname : text;
};
