import { testDrawn } from "./suite.ts";

testDrawn(0);
