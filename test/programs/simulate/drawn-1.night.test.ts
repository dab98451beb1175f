import { testShare } from "./suite.ts";

testShare(0);
