import { encode } from "uqr";

/** The light modules around a QR code, of ISO/IEC 18004. */
const border = 4;

/** Draws a text as a QR code. It is dark on light in every theme, because some cameras read no inverted codes. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { size, data } = encode(text, { border });
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 self-center rounded-md"
    >
      <rect width={size} height={size} fill="white" />
      <path d={dark.join("")} fill="black" />
    </svg>
  );
};
