import { testFew } from "./suite.ts";

testFew(20);
