import { testDrawn } from "./suite.ts";

testDrawn(2);
