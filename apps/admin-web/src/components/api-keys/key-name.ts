import type { ApiKey } from "./use-api-keys.ts";

/** What a key is called where it has no name. */
export const keyName = ({ name, start, id }: Pick<ApiKey, "name" | "start" | "id">): string =>
  name || (start === null ? id : `${start}…`);
