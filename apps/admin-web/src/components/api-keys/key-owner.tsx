import { Link } from "@tanstack/react-router";
import { CopyId } from "../ui/copy-id.tsx";
import type { ApiKey } from "./use-api-keys.ts";

/** Shows the owner of a key, or only the id if that user no longer exists. */
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
