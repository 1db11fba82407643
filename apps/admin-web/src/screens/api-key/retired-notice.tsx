import { Link } from "@tanstack/react-router";
import type { ApiKey } from "../../components/api-keys/api-key.ts";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";

/** Says of a re-rolled key how long it works, and links to the key that replaces it. */
export const RetiredNotice = ({ apiKey }: { apiKey: ApiKey }) =>
  apiKey.successorId !== null && (
    <Notice tone="warning">
      Retired, grace period until <RelativeTime at={apiKey.expiresAt} mayBeAhead />. This key shares
      the limits of{" "}
      <Link
        to="/api-keys/$keyId"
        params={{ keyId: apiKey.successorId }}
        className="rounded font-medium underline"
      >
        the new key
      </Link>
      .
    </Notice>
  );
