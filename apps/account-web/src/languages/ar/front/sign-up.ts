import type { Translation } from "../../messages.ts";

export const signUp: Translation<"front", "signUp"> = {
  title: "إنشاء حسابك",
  lead: "للمتابعة إلى {{name}}",
  name: "الاسم",
  enterName: "أدخِل اسمك.",
  username: "اسم المستخدم (اختياري)",
  submit: "إنشاء حساب",
  hasAccount: "هل لديك حساب بالفعل؟",
  signIn: "تسجيل الدخول",
  closed: {
    title: "التسجيل مغلق",
    text: "لا تُنشأ الحسابات إلا بدعوة.",
  },
  mailed: {
    title: "تحقَّق من بريدك الوارد",
    text: "أرسلنا رابطًا إلى {{email}}. افتحه لتأكيد عنوان بريدك الإلكتروني، ثم سجِّل الدخول.",
  },
};
