import fc from "fast-check";
import type { InvitationCall } from "./calls.ts";
import type { Role } from "./state.ts";

export const userNames = ["ada", "bob", "cy", "dee", "eve"] as const;
export const founders = { acme: "ada", bolt: "bob" } as const;

/** A random call. Earlier results are picked by number. */
export interface Picked {
  kind: InvitationCall["kind"];
  by: string;
  person: string;
  organization: string;
  role: Role;
  resend: boolean;
  /** Picks an invitation, membership or team, latest first. With `isApt`, its user makes the call. */
  which: number;
  hasTeam: boolean;
  isApt: boolean;
}

const weights: { [Kind in InvitationCall["kind"]]: number } = {
  invite: 12,
  accept: 12,
  reject: 3,
  cancel: 4,
  "send-again": 2,
  remove: 4,
  leave: 3,
  "give-role": 5,
  add: 2,
  "create-team": 3,
  "remove-team": 3,
  delete: 1,
};

const kinds = Object.entries(weights).map(([kind, weight]) => ({
  weight,
  arbitrary: fc.constant(kind as InvitationCall["kind"]), // keys are untyped
}));

const usually = (value: boolean) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(value) },
    { weight: 1, arbitrary: fc.constant(!value) },
  );

export const picked: fc.Arbitrary<Picked> = fc.record({
  kind: fc.oneof(...kinds),
  by: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("ada", "bob") },
    { weight: 2, arbitrary: fc.constantFrom(...userNames) },
  ),
  person: fc.constantFrom(...userNames),
  organization: fc.oneof(
    { weight: 3, arbitrary: fc.constant("acme") },
    { weight: 1, arbitrary: fc.constant("bolt") },
  ),
  role: fc.constantFrom("member", "admin", "owner"),
  resend: fc.boolean(),
  which: fc.nat(3),
  hasTeam: usually(false),
  isApt: usually(true),
});
