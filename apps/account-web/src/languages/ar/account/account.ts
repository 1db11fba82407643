import type { Translation } from "../../messages.ts";

export const account: Translation<"account", "account"> = {
  navigation: "حسابك",
  menu: "القائمة",
  skip: "الانتقال إلى المحتوى",
  signOut: "تسجيل الخروج",
  close: "إغلاق",
  dismiss: "تجاهل",
  copied: "تم النسخ",
  copyFailed: "منع المتصفح النسخ. انسخ النص يدويًا.",
  secret: {
    keep: "انسخه الآن واحفظه في مكان آمن. لا يمكن عرضه مرة أخرى.",
    lost: "لم تنسخه بعد. لا يمكن عرضه مرة أخرى. أغلق مرة أخرى لتجاهله.",
    copy: "نسخ",
    done: "تم",
  },
  yourPassword: "كلمة المرور الخاصة بك",
  screens: {
    profile: "الملف الشخصي",
    security: "الأمان",
    sessions: "الجلسات",
    apiKeys: "مفاتيح API",
    organizations: "المؤسسات",
    data: "بياناتك",
  },
  theme: { label: "المظهر", system: "مظهر النظام", light: "فاتح", dark: "داكن" },
  stepUp: {
    title: "أكِّد هويتك",
    text: "يتطلب هذا التغيير أن تكون قد سجَّلت الدخول مؤخرًا.",
    passkey: "استخدام مفتاح مرور",
    noPassword: "ليست لديك كلمة مرور؟ سجِّل الخروج، ثم سجِّل الدخول مرة أخرى. ستعود إلى هذه الصفحة.",
  },
};
