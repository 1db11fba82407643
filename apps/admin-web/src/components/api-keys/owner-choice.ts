/** The owner of a key, as operations name it. */
export type KeyOwner = { readonly userId: string } | { readonly organizationId: string };

const marks = { userId: "user", organizationId: "organization" } as const;

/** Writes an owner as the value of a choice, because a user and an organization may have the same id. */
export const ownerValue = (owner: KeyOwner): string =>
  "userId" in owner
    ? `${marks.userId} ${owner.userId}`
    : `${marks.organizationId} ${owner.organizationId}`;

/** Reads the value of a choice. */
export const readOwner = (value: string): KeyOwner => {
  const at = value.indexOf(" ");
  const id = value.slice(at + 1);
  return value.slice(0, at) === marks.userId ? { userId: id } : { organizationId: id };
};
