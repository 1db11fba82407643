import { allOperations, type Operation } from "@latchkey/contracts";
import fc from "fast-check";
import {
  bodyText,
  contentType,
  pathText,
  queryText,
  rawBody,
} from "../../../contract/hostile-input.ts";
import type { Chance } from "./chance.ts";
import { type HttpText, toBytes } from "./http-text.ts";
import type { Users, Who } from "./users.ts";

/** A request for an operation, with invalid input in the shape of its schema. */
export interface ByOperation {
  operation: Operation;
  who: Who;
  bytes: Buffer;
}

/** Samples are generated in batches, because the first one is the most expensive. */
const sampledTogether = 40;

const open = allOperations.filter(({ exposure }) => exposure === "public");

const ofAdmins = new Set<unknown>([
  "admin",
  "organizationAdmin",
  "organizationRolesAdmin",
  "teamsAdmin",
  "apiKeyAdmin",
]);

const isForAdmins = ({ feature }: Operation) => ofAdmins.has(feature);

const json = ["content-type", "application/json"] as const;

const requestsOf = (operation: Operation, ids: Users["ids"]): fc.Arbitrary<HttpText> => {
  const target = pathText(operation).map((path) => `/api/auth${path}`);
  const line = (path: string) => `${operation.method} ${path} HTTP/1.1`;
  const withQuery = fc
    .tuple(target, queryText(operation, ids))
    .map(([path, query]) => ({ line: line(`${path}?${query}`), headers: [] }));
  if (operation.method === "GET") return withQuery;
  const withBody = fc
    .tuple(target, bodyText(operation, ids))
    .map(([path, body]) => ({ line: line(path), headers: [json], body }));
  const withBytes = fc.tuple(target, contentType, rawBody).map(([path, type, body]) => ({
    line: line(path),
    headers: type === undefined ? [] : [["content-type", type] as const],
    body,
  }));
  return fc.oneof(
    { weight: 1, arbitrary: withQuery },
    { weight: 4, arbitrary: withBody },
    { weight: 2, arbitrary: withBytes },
  );
};

/** Generates requests for every operation in turn. A body may hold bytes that are not UTF-8. */
export const createBySchema = (chance: Chance, people: Users): (() => ByOperation) => {
  const made: ByOperation[] = [];
  const spoil = (body: HttpText["body"]) => {
    const bytes = Buffer.from(body ?? "");
    if (bytes.length > 0 && chance.oneIn(20))
      bytes[chance.below(bytes.length)] = 0xc0 + chance.below(64);
    return bytes;
  };
  const make = (operation: Operation) => {
    const seed = chance.below(2 ** 31);
    const texts = fc.sample(requestsOf(operation, people.ids), {
      seed,
      numRuns: sampledTogether,
    });
    for (const text of texts) {
      const who = chance.pick<Who>(
        isForAdmins(operation) ? ["nobody", "user", "admin", "admin"] : ["nobody", "user", "user"],
      );
      const headers = [
        ["host", "localhost"] as const,
        ["cookie", people.cookieOf(who)] as const,
        ...text.headers,
      ];
      made.push({ operation, who, bytes: toBytes({ ...text, headers, body: spoil(text.body) }) });
    }
  };
  return () => {
    if (made.length === 0) for (let index = 0; index < 8; index += 1) make(chance.pick(open));
    return made.splice(chance.below(made.length), 1)[0] as ByOperation; // there is one
  };
};
