import type { DayRange } from "@latchkey/ui/components/day-range.ts";
import { useAccess } from "../../../access/use-access.ts";
import { Health } from "./health.tsx";
import { NewestUsers } from "./newest-users.tsx";
import { OwnPermissions } from "./own-permissions.tsx";
import { SignIns } from "./sign-ins.tsx";

/** The cards below the numbers, as far as this admin may see them. */
export const HomeCards = ({ range }: { range: DayRange }) => {
  const { access, may } = useAccess();
  const mayCount = may("statistics:read");
  return (
    <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
      <div className="flex flex-col gap-4">
        {mayCount && <SignIns range={range} />}
        {mayCount && <Health />}
        {!mayCount && access && <OwnPermissions permissions={access.permissions} />}
      </div>
      {may("user:list") && <NewestUsers />}
    </div>
  );
};
