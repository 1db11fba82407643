import { Link } from "@tanstack/react-router";
import { useAccess } from "../../access/use-access.ts";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { UserLabel } from "../users/user-label.tsx";
import type { ApiKey } from "./api-key.ts";
import { t } from "../../texts.ts";

interface OrganizationProps {
  id: string;
  organization: ApiKey["organization"];
}

const Organization = ({ id, organization }: OrganizationProps) => {
  const { may } = useAccess();
  const name = organization ? (
    <span className="flex min-w-0 flex-col leading-tight">
      <bdi className="truncate">{organization.name}</bdi>
      <span className="text-xs text-muted">{t("common.organization")}</span>
    </span>
  ) : (
    <span className="whitespace-nowrap text-muted">{t("common.deletedOrganization")}</span>
  );
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
      {organization && may("organization:get") ? (
        <Link
          to="/organizations/$organizationId"
          params={{ organizationId: id }}
          title={organization.name}
          className="min-w-0 rounded-sm hover:underline"
        >
          {name}
        </Link>
      ) : (
        name
      )}
      <CopyId id={id} of={organization?.name ?? t("common.theDeletedOrganization")} hidesId />
    </span>
  );
};

/** Shows the owner of a key: a user by name and email address, or an organization by name. */
export const KeyOwner = ({ apiKey }: { apiKey: ApiKey }) => {
  const { user, userId, organization, organizationId } = apiKey;
  if (organizationId !== undefined)
    return <Organization id={organizationId} organization={organization} />;
  return <UserLabel id={userId ?? ""} user={user} isStacked />;
};
