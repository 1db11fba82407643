import type { ApiKey } from "./use-api-keys.ts";

/** Returns the name to show for a key, also for one without a name. */
export const keyName = ({ name, start, id }: Pick<ApiKey, "name" | "start" | "id">): string =>
  name || (start === null ? id : `${start}…`);
