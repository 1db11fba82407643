import type { ApiKey } from "./api-key.ts";

/** Returns the name to show for a key, also for one without a name. */
export const keyName = ({ name, start, id }: Pick<ApiKey, "name" | "start" | "id">): string =>
  name || (start === null ? id : `${start}…`);
