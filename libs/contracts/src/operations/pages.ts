import { z } from "zod";
import { plainText } from "../plain-text.ts";

const count = z.union([z.string().max(32), z.number()]);

/** A value of a query, or several, each as a parameter of its own. */
export const oneOrMore = z.union([plainText(255), z.array(plainText(255)).min(1).max(100)]);

/** A page of a list, with the total count. */
export const pageTotals = {
  /** The number of all matching rows, exact up to 10,000. If it is an estimate, there are at least that many. */
  total: z.number(),
  totalIsEstimate: z.boolean().optional(),
  /** The `cursor` of the next page. Absent on the last page. */
  nextCursor: z.string().optional(),
};

/** Size and position of a page. */
export const pageQuery = {
  limit: count.optional(),
  offset: count.optional(),
  cursor: z.string().max(1024).optional(),
  sortDirection: z.enum(["asc", "desc"]).optional(),
};
