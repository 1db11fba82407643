"use client";

import type { User } from "./session.ts";
import { useSession } from "./use-session.ts";

/**
 * Returns the signed-in user. Null if there is none, and while that is not known: `useSession` tells these apart. `Fields` has the types
 * of the additional fields of users.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only the application can name its fields
export const useUser = <Fields extends object = object>(): (User & Fields) | null =>
  useSession().user as (User & Fields) | null;
