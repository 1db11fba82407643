import { z } from "zod";

/** The search params that all lists share. Invalid ones are dropped. */
export const tableSearch = {
  /** The search text. */
  q: z.string().max(255).optional().catch(undefined),
  sort: z.string().max(64).optional().catch(undefined),
  dir: z.enum(["asc", "desc"]).optional().catch(undefined),
  /** The cursor of the page. */
  cursor: z.string().max(1024).optional().catch(undefined),
};

export type TableSearch = z.output<z.ZodObject<typeof tableSearch>>;
