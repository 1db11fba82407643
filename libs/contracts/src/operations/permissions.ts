import { z } from "zod";

/** Either the newer name or the older one. */
const oneOf = <Asked extends z.ZodType>(asked: Asked) =>
  z
    .object({ permissions: asked.optional(), permission: asked.optional() })
    .refine(
      ({ permissions: many, permission: one }) => (many === undefined) !== (one === undefined),
      "either `permissions` or `permission`",
    );

const connector = z.enum(["AND", "OR"]);
const actions = z.array(z.string());

/** Resources and the actions on each, all of which are required. */
export const permissionQuestion = oneOf(z.record(z.string(), actions));

/** The same for services, which may also require only one: of several actions, or of several resources. */
export const connectedPermissionQuestion = oneOf(
  z.record(z.string(), z.union([actions, z.object({ actions, connector })])),
).safeExtend({ connector: connector.optional() });

export const permissionVerdict = z.object({ error: z.null(), success: z.boolean() });
