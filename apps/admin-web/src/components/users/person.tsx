import { showEmail } from "@latchkey/contracts/email-address.ts";
import { Avatar } from "@latchkey/ui/components/avatar.tsx";
import { Link } from "@tanstack/react-router";

interface PersonProps {
  id: string;
  name: string;
  email: string;
}

/** A user in a row of a list: the picture, the name and the address, which lead to the user's page. */
export const Person = ({ id, name, email }: PersonProps) => (
  <span className="flex items-center gap-2.5">
    <Avatar name={name || showEmail(email)} />
    <Link
      to="/users/$userId"
      params={{ userId: id }}
      className="group min-w-0 rounded-sm leading-tight"
    >
      <bdi title={name} className="block truncate font-medium group-hover:underline">
        {name || showEmail(email)}
      </bdi>
      {name && <bdi className="block truncate text-xs text-muted">{showEmail(email)}</bdi>}
    </Link>
  </span>
);
