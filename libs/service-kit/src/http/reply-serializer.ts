import type fastJsonStringify from "fast-json-stringify";
import { type AdditionalFields, jsonSchema, type Operation } from "@latchkey/contracts";
import { createRequire } from "node:module";

type Reply = Operation["reply"];
type Write = (reply: unknown) => string;

/** Loads the compiler with the first reply, because a process without requests needs neither it nor its validator. */
const loadCompiler = () =>
  createRequire(import.meta.url)("fast-json-stringify") as typeof fastJsonStringify;

/** Compiled serializers by schema and additional fields. All replicas and services in a process share them. */
const writersBySchema = new WeakMap<Reply, Map<string, Write>>();

const compile = (schema: Reply, additionalFields: AdditionalFields | undefined): Write => {
  const ofSchema = writersBySchema.get(schema) ?? new Map<string, Write>();
  writersBySchema.set(schema, ofSchema);
  const fields = JSON.stringify(additionalFields ?? {});
  const write =
    ofSchema.get(fields) ?? loadCompiler()(jsonSchema(schema, "output", additionalFields) as never);
  ofSchema.set(fields, write);
  return write;
};

/**
 * Serializes replies of an operation by its schema, so that no undeclared member is sent. It is compiled at the first reply,
 * which takes a millisecond or two, so that services start faster.
 */
export const createReplySerializer = (
  { reply: schema }: Pick<Operation, "reply">,
  additionalFields?: AdditionalFields,
): Write => {
  let write: Write | undefined;
  return (reply) => {
    write ??= compile(schema, additionalFields);
    return write(reply);
  };
};
