%% The parts of an XML document; written for Foresee.
-ifndef(XMERL_HRL).
-define(XMERL_HRL, true).

-record(xmlDecl, {vsn, encoding, standalone, attributes}).
-record(xmlNamespace, {default = [], nodes = []}).
-record(xmlNsNode, {parents = [], pos, prefix, uri = []}).
-record(xmlAttribute, {name, expanded_name = [], nsinfo = [], namespace = [], parents = [], pos,
                       language = [], value, normalized}).
-record(xmlElement, {name, expanded_name = [], nsinfo = [], namespace = #xmlNamespace{}, parents = [],
                     pos, attributes = [], content = [], language = "", xmlbase = "", elementdef = undeclared}).
-record(xmlText, {parents = [], pos, language = [], value, type = text}).
-record(xmlComment, {parents = [], pos, language = [], value}).
-record(xmlPI, {name, parents = [], pos, value}).
-record(xmlDocument, {content}).

-endif.
