import { csvExport } from "../../components/export/csv-export.ts";
import { readPages } from "../../components/export/read-pages.ts";
import type { EditableField } from "../../components/users/field-text.ts";
import { userCsv } from "./user-csv.ts";
import { adminListUsers, inputOf, type User } from "./users-query.ts";
import type { UsersSearch } from "./users-search.ts";

/** Exports all users that the address selects, with these additional fields. */
export const exportedUsers = (search: UsersSearch, fields: readonly EditableField[]) =>
  csvExport<User>({
    name: "users",
    pages: readPages(adminListUsers, "users", inputOf(search)),
    columns: userCsv(fields),
  });
