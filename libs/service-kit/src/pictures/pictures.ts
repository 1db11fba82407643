import { createHash } from "node:crypto";
import { type Caller, type Operation, pictureBytesMax, WireError } from "@latchkey/contracts";
import type { Kysely, Transaction } from "kysely";
import type { WrittenOnce } from "../database/kit-tables.ts";
import type { MigratedDatabase } from "../database/schema-migration.ts";
import type { FileAnswer } from "../http/run-operation.ts";

/** The uploaded picture of a user or an organization. Deleted with its owner. */
interface PictureTable {
  ownerId: WrittenOnce<string>;
  /** Unique. Part of the address. */
  hash: string;
  contentType: string;
  bytes: Buffer;
}

export interface PictureTables {
  picture: PictureTable;
}

export interface Picture {
  ownerId: string;
  hash: string;
  contentType: string;
  bytes: Buffer;
}

/** Creates the table of pictures, whose owners are rows of another table. */
export const createPictureTable = (db: MigratedDatabase, owners: string): Promise<void> =>
  db.schema
    .createTable("picture")
    .addColumn("owner_id", "text", (column) =>
      column.primaryKey().references(`${owners}.id`).onDelete("cascade"),
    )
    .addColumn("hash", "text", (column) => column.notNull().unique())
    .addColumn("content_type", "text", (column) => column.notNull())
    .addColumn("bytes", "bytea", (column) => column.notNull())
    .execute();

const isAt = (bytes: Buffer, start: number, text: string): boolean =>
  bytes.subarray(start, start + text.length).equals(Buffer.from(text, "latin1"));

/** The supported types by the first bytes. An SVG, which may hold scripts, is none of them. */
const typeOf = (bytes: Buffer): string | undefined => {
  if (isAt(bytes, 0, "RIFF") && isAt(bytes, 8, "WEBP")) return "image/webp";
  if (isAt(bytes, 0, "\x89PNG\r\n\x1a\n")) return "image/png";
  return isAt(bytes, 0, "\xff\xd8\xff") ? "image/jpeg" : undefined;
};

/**
 * Reads an uploaded picture. Its hash covers the owner too, so that nobody finds out from an address who uses a picture that they have.
 * Throws `PICTURE_TOO_LARGE` and `PICTURE_TYPE_NOT_SUPPORTED`.
 */
export const readPicture = (ownerId: string, base64: string): Picture => {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > pictureBytesMax) throw new WireError("PICTURE_TOO_LARGE");
  const contentType = typeOf(bytes);
  if (contentType === undefined) throw new WireError("PICTURE_TYPE_NOT_SUPPORTED");
  const hash = createHash("sha256").update(`${ownerId}\0`).update(bytes).digest("base64url");
  return { ownerId, hash, contentType, bytes };
};

/** Returns the address at which an operation serves a picture to everyone. */
export const pictureAddress = (
  { path }: Pick<Operation, "path">,
  { caller }: { caller: Caller },
  { hash }: Picture,
): string => caller.baseUrl + path.replace("{hash}", hash);

/** Stores a picture in place of the owner's former one, in a transaction that has locked the owner. */
export const storePicture = async (
  trx: Transaction<PictureTables>,
  { ownerId, ...picture }: Picture,
): Promise<void> => {
  await trx
    .insertInto("picture")
    .values({ ownerId, ...picture })
    .onConflict((conflict) => conflict.column("ownerId").doUpdateSet(picture))
    .execute();
};

/** Deletes the picture of an owner unless the owner's new address is that of the picture. */
export const deleteReplacedPicture = async (
  trx: Transaction<PictureTables>,
  { ownerId, address }: { ownerId: string; address: string | null },
): Promise<void> => {
  await trx
    .deleteFrom("picture")
    .where("ownerId", "=", ownerId)
    .where("hash", "!=", address?.split("/").at(-1) ?? "")
    .execute();
};

/** A page of any origin may show the picture, which never changes at its address. */
const headers = {
  "cache-control": "public, max-age=31536000, immutable",
  "cross-origin-resource-policy": "cross-origin",
};

/** Answers with a picture. Throws `NOT_FOUND`. */
export const servePicture = async (
  db: Kysely<PictureTables>,
  hash: string,
): Promise<FileAnswer> => {
  const file = await db
    .selectFrom("picture")
    .select(["contentType", "bytes"])
    .where("hash", "=", hash)
    .executeTakeFirst();
  if (!file) throw new WireError("NOT_FOUND");
  return { file, headers };
};
