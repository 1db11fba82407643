import { type AdditionalFields, jsonSchema, type Operation } from "@latchkey/contracts";
import fastJsonStringify from "fast-json-stringify";

/**
 * Writes replies of an operation as JSON by its schema, so that no undeclared member leaves. It is compiled for the first of
 * them, which takes a millisecond or two: a service that compiled all of its own would start later.
 */
export const createReplySerializer = (
  { reply: schema }: Pick<Operation, "reply">,
  additionalFields?: AdditionalFields,
): ((reply: unknown) => string) => {
  let write: ((reply: unknown) => string) | undefined;
  return (reply) => {
    write ??= fastJsonStringify(jsonSchema(schema, "output", additionalFields) as never);
    return write(reply);
  };
};
