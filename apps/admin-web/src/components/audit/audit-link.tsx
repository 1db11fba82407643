import { Link } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import { useAccess } from "../../access/use-access.ts";
import { buttonStyle } from "../ui/button-style.ts";

/** Leads to what was done to something, for who may read the audit log. */
export const AuditLink = ({ subjectId }: { subjectId: string }) => {
  const { may } = useAccess();
  if (!may("audit:list")) return null;
  return (
    <Link to="/audit" search={{ subject: subjectId }} className={buttonStyle()}>
      <ScrollText />
      History
    </Link>
  );
};
