import { createHash } from "node:crypto";
import {
  type Caller,
  type Operation,
  pictureBytesMax,
  pictureSideMax,
  WireError,
} from "@latchkey/contracts";
import type { Kysely, Transaction } from "kysely";
import type { WrittenOnce } from "../database/kit-tables.ts";
import type { MigratedDatabase } from "../database/schema-migration.ts";
import type { FileAnswer } from "../http/run-operation.ts";
import { readPictureHeader } from "./picture-header.ts";

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

/**
 * Reads an uploaded picture. Its hash covers the owner too, so that nobody finds out from an address who uses a picture that they have.
 * Throws `PICTURE_TOO_LARGE` and `PICTURE_TYPE_NOT_SUPPORTED`.
 */
export const readPicture = (ownerId: string, base64: string): Picture => {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > pictureBytesMax) throw new WireError("PICTURE_TOO_LARGE");
  const header = readPictureHeader(bytes);
  if (!header) throw new WireError("PICTURE_TYPE_NOT_SUPPORTED");
  const { contentType, width, height } = header;
  // A few bytes may decode to a picture that fills the memory of each browser that shows it.
  if (Math.max(width, height) > pictureSideMax) throw new WireError("PICTURE_TOO_LARGE");
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

/** A page of any origin may show the picture. It never changes at its address, but may be deleted, so caches keep it for a day. */
const headers = {
  "cache-control": "public, max-age=86400, immutable",
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
