import fc from "fast-check";
import type { SessionCall } from "./truth.ts";

export const userNames = ["ada", "bob"] as const;

/** The session of a user's sign-up. */
export const firstOf = (person: string): string => `first of ${person}`;

/** A random call. Sessions are picked by number, latest first. */
export interface Picked {
  kind: SessionCall["kind"];
  person: string;
  by: number;
  which: number;
  password: number;
  to: number;
  isRight: boolean;
  isRemembered: boolean;
  endsOthers: boolean;
}

const weights: { [Kind in SessionCall["kind"]]: number } = {
  "sign-in": 14,
  look: 8,
  revoke: 5,
  rename: 4,
  "revoke-others": 3,
  "revoke-all": 2,
  "sign-out": 4,
  "change-password": 5,
  "delete-user": 1,
  ban: 3,
  unban: 4,
  "revoke-of": 2,
  remove: 1,
};

const kinds = Object.entries(weights).map(([kind, weight]) => ({
  weight,
  arbitrary: fc.constant(kind as SessionCall["kind"]), // keys are untyped
}));

const often = fc.oneof(
  { weight: 5, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
);

export const picked: fc.Arbitrary<Picked> = fc.record({
  kind: fc.oneof(...kinds),
  person: fc.oneof(
    { weight: 4, arbitrary: fc.constant("ada") },
    { weight: 1, arbitrary: fc.constant("bob") },
  ),
  by: fc.nat(2),
  which: fc.nat(3),
  password: fc.nat(1),
  to: fc.nat(1),
  isRight: often,
  isRemembered: fc.boolean(),
  endsOthers: fc.boolean(),
});
