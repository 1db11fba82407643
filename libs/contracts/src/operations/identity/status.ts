import { z } from "zod";

/** The reply of operations that return nothing but their success. */
export const status = z.object({ status: z.boolean() });
