import { Link } from "@tanstack/react-router";
import { CopyId } from "../ui/copy-id.tsx";
import type { ApiKey } from "./use-api-keys.ts";

/** Whose key it is; the id alone where there is no such user any more. */
export const KeyOwner = ({ apiKey: { user, userId } }: { apiKey: ApiKey }) =>
  user ? (
    <Link
      to="/users/$userId"
      params={{ userId }}
      className="block min-w-0 truncate rounded hover:underline"
    >
      <bdi>{user.email}</bdi>
    </Link>
  ) : (
    <CopyId id={userId} />
  );
