import * as z from "zod/mini";
import { searchParam, textParam } from "../search-param.ts";

/** The search params that all lists share. Invalid ones are dropped. */
export const tableSearch = {
  /** The search text. */
  q: textParam(255),
  sort: textParam(64),
  dir: searchParam(z.enum(["asc", "desc"])),
  /** The cursor of the page. */
  cursor: textParam(1024),
};

export type TableSearch = z.output<z.ZodMiniObject<typeof tableSearch>>;
