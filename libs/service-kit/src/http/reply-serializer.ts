import { type AdditionalFields, jsonSchema, type Operation } from "@latchkey/contracts";
import fastJsonStringify from "fast-json-stringify";

/**
 * Serializes replies of an operation by its schema, so that no undeclared member is sent. It is compiled at the first reply,
 * which takes a millisecond or two, so that services start faster.
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
