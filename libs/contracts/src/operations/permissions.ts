import { z } from "zod";

const permissions = z.record(z.string(), z.array(z.string()));

/** Resources and the actions on each, by the newer name or the older one. */
export const permissionQuestion = z
  .object({ permissions: permissions.optional(), permission: permissions.optional() })
  .refine(
    ({ permissions: many, permission: one }) => (many === undefined) !== (one === undefined),
    "either `permissions` or `permission`",
  );
export const permissionVerdict = z.object({ error: z.null(), success: z.boolean() });
