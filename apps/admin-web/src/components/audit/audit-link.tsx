import { Link } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import { useAccess } from "../../access/use-access.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { t } from "../../texts.ts";

/** Links to the audit entries about a subject. Renders nothing without permission to read the audit log. */
export const AuditLink = ({ subjectId }: { subjectId: string }) => {
  const { may } = useAccess();
  if (!may("audit:list")) return null;
  return (
    <Link to="/audit" search={{ subject: subjectId }} className={buttonStyle()}>
      <ScrollText />
      {t("audit.history")}
    </Link>
  );
};
