import { namesOf, type RowOf, withoutColumns } from "@latchkey/service-kit/database";
import { apiKeyColumns } from "./tables.ts";

export const rowColumns = withoutColumns(apiKeyColumns, "key");

/** A key's row without its lookup value. */
export type ApiKeyRow = RowOf<typeof rowColumns>;

export const keySelection = namesOf(rowColumns);

/** The owner of a key. It never changes. */
export type KeyOwner = { readonly userId: string } | { readonly organizationId: string };

export type OwnerColumns = Pick<ApiKeyRow, "organizationId" | "userId">;

/** Returns the owner that a row names. Each row names one. */
export const ownerOf = ({ userId, organizationId }: OwnerColumns): KeyOwner =>
  organizationId === null ? { userId: userId ?? "" } : { organizationId };

/** Returns the columns of a row that belongs to an owner. */
export const ownerColumns = (owner: KeyOwner): OwnerColumns =>
  "userId" in owner
    ? { userId: owner.userId, organizationId: null }
    : { userId: null, organizationId: owner.organizationId };

/** Returns the column that contains an owner's id, and the id. */
export const ownerColumn = (owner: KeyOwner): readonly [keyof OwnerColumns, string] =>
  "userId" in owner ? ["userId", owner.userId] : ["organizationId", owner.organizationId];

/** Whether a row belongs to an owner. */
export const isOwnedBy = (row: OwnerColumns, owner: KeyOwner): boolean => {
  const { userId, organizationId } = ownerColumns(owner);
  return row.userId === userId && row.organizationId === organizationId;
};
