import type { Operation } from "./operation.ts";

/** The headings of the reference page, in order. */
export const operationTags = [
  "Sign-up and sign-in",
  "Guests",
  "Sessions",
  "Links and codes by mail",
  "Phone numbers",
  "Sign-in on other sites",
  "Several users in one browser",
  "Email verification",
  "Password",
  "Second factors",
  "Passkeys",
  "Profile",
  "Sign-in at providers",
  "Accounts",
  "Tokens of providers",
  "Signed tokens",
  "Organizations",
  "Members",
  "Invitations",
  "Teams",
  "Roles",
  "API keys",
  "Webhooks of organizations",
  "Sign in to other applications",
  "Admin",
  "Service",
] as const;
export type OperationTag = (typeof operationTags)[number];

const tags = new WeakMap<Operation, OperationTag>();

/** Declares operations that share a heading of the reference page. */
export const operationGroup = <const Group extends Readonly<Record<string, Operation>>>(
  tag: OperationTag,
  group: Group,
): Group => {
  for (const declared of Object.values(group)) tags.set(declared, tag);
  return group;
};

/** Returns the heading of an operation on the reference page. Internal operations have none. */
export const operationTag = (declared: Operation): OperationTag | undefined => tags.get(declared);
