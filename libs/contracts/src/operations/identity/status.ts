import { z } from "zod";

/** The reply of operations that have nothing to tell but that they were done. */
export const status = z.object({ status: z.boolean() });
