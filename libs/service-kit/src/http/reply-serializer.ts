import type fastJsonStringify from "fast-json-stringify";
import { type AdditionalFields, jsonSchema, type Operation } from "@latchkey/contracts";
import { createRequire } from "node:module";

/** Loads the compiler with the first reply, because a process without requests needs neither it nor its validator. */
const loadCompiler = () =>
  createRequire(import.meta.url)("fast-json-stringify") as typeof fastJsonStringify;

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
    write ??= loadCompiler()(jsonSchema(schema, "output", additionalFields) as never);
    return write(reply);
  };
};
