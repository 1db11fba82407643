import { z } from "zod";

const count = z.union([z.string().max(32), z.number()]);

/** A page of a list, and how many there are in all. */
export const pageTotals = {
  /** Of all that fit; exact up to 10,000, and at least that much where it is an estimate. */
  total: z.number(),
  totalIsEstimate: z.boolean().optional(),
  /** Gives the next page, as `cursor`; absent on the last one. */
  nextCursor: z.string().optional(),
};

/** What a page of a list is asked for by. */
export const pageQuery = {
  limit: count.optional(),
  offset: count.optional(),
  cursor: z.string().max(1024).optional(),
  sortDirection: z.enum(["asc", "desc"]).optional(),
};
