import { type AdditionalFields, jsonSchema, type Operation } from "@latchkey/contracts";
import fastJsonStringify from "fast-json-stringify";

/** Writes replies of an operation as JSON by its schema, so that no undeclared member leaves. */
export const createReplySerializer = (
  { reply }: Pick<Operation, "reply">,
  additionalFields?: AdditionalFields,
): ((reply: unknown) => string) =>
  fastJsonStringify(jsonSchema(reply, "output", additionalFields) as never);
