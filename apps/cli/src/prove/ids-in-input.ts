import type { Operation } from "@latchkey/contracts";
import { z } from "zod";
import type { Sent } from "./http/target-of.ts";

/** `configId` names a configuration of keys and `requestId` a request, which belong to no tenant. */
const namesRow = /^(?:id|slug|(?!(?:configId|requestId)$).*(?:Id|Ids|IdOrEmail|Slug))$/;

/** Returns the places of the ids in an input, such as `body.data.organizationId`. */
const idsIn = (schema: unknown, place: string): string[] => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return idsIn(schema.unwrap(), place);
  if (schema instanceof z.ZodNever) return []; // always rejected
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, member]) =>
      idsIn(member, `${place}.${name}`),
    );
  return namesRow.test(place.split(".").at(-1) ?? "") ? [place] : [];
};

/** Returns the places of all ids that an operation takes. */
export const idsOf = ({ params, query, body }: Operation): string[] => [
  ...idsIn(params, "params"),
  ...idsIn(query, "query"),
  ...idsIn(body, "body"),
];

type Tree = Record<string, unknown>;

/** Returns the value at a place of an input. */
export const read = (sent: Sent, place: string): unknown =>
  place.split(".").reduce<unknown>((tree, name) => (tree as Tree | undefined)?.[name], sent);

/** Returns a copy of an input with another value at a place. */
export const write = (sent: Sent, place: string, value: unknown): Sent => {
  const copy: Tree = { ...structuredClone(sent) };
  const names = place.split(".");
  const last = names.pop() ?? "";
  const parent = names.reduce<Tree>((tree, name) => tree[name] as Tree, copy);
  parent[last] = value;
  return copy;
};

/** Returns every non-empty subset of some places. */
export const subsetsOf = (places: readonly string[]): string[][] =>
  Array.from({ length: 2 ** places.length - 1 }, (_, set) =>
    places.filter((_place, index) => Math.floor((set + 1) / 2 ** index) % 2 === 1),
  );
