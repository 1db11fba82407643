import { UserLabel } from "../users/user-label.tsx";
import type { ApiKey } from "./use-api-keys.ts";

/** Shows the owner of a key by name and email address. */
export const KeyOwner = ({ apiKey: { user, userId } }: { apiKey: ApiKey }) => (
  <UserLabel id={userId} user={user} isStacked />
);
